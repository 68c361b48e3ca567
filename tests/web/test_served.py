"""What a server that mounts the page reads of its routes."""

from pathlib import Path

from starlette.applications import Starlette
from starlette.routing import Mount
from starlette.schemas import SchemaGenerator

from hippograph.state import Settings
from hippograph.web.app import create_app


def test_no_docstring_of_a_page_is_read_as_the_description_of_an_api(tmp_path: Path) -> None:
    app = Starlette(routes=[Mount("/hippograph", create_app(Settings(home=tmp_path, model_dir=tmp_path), openai=True))])
    assert SchemaGenerator({}).get_endpoints(app.routes) == []
